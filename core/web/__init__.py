"""The HTTP side, beside the pages.

life.py    the app's life: one opened home, the embedded worker
routes.py  plain routes: health, permalinks
guard.py   what every request must pass; the headers of every answer
"""

from core.web.guard import check_address, middleware
from core.web.life import close_app, current_app, lifespan
from core.web.routes import routes

__all__ = ["check_address", "close_app", "current_app", "lifespan", "middleware", "routes"]
