"""The HTTP side, beside the pages.

life.py       the app's life: one opened home, the embedded worker
routes.py     plain routes: health, permalinks, the pages' one script
sitting.js    that script: what a browser holds back before a question could be read
guard.py      under which name and from whose page a request comes; the headers of every answer
signed_in.py  who is let in: everything but a few addresses asks for a session
signin.py     sign-in, sign-out and one's own password
team.py       sign-in of a workshop's team by its code
forms.py      their pages, drawn
forms.css     their style
book.py       the page on which an applicant answers a letter
book_page.py  that page, drawn
api.py        applications and events by program
api_body.py   what they are sent as, read within limits
"""

from starlette.middleware import Middleware

from core.web import api, book, signin, team
from core.web import routes as beside
from core.web.guard import Guard, check_address
from core.web.life import close_app, current_app, lifespan
from core.web.signed_in import COOKIE, OnlySignedIn, sign_in_address, somebody_can_sign_in

middleware = [Middleware(Guard), Middleware(OnlySignedIn)]
routes = [*signin.routes, *team.routes, *book.routes, *api.routes, *beside.routes]

__all__ = [
    "COOKIE",
    "check_address",
    "close_app",
    "current_app",
    "lifespan",
    "middleware",
    "routes",
    "sign_in_address",
    "somebody_can_sign_in",
]
