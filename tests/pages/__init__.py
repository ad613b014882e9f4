"""Pages run whole over a real home, and the routes beside them."""
