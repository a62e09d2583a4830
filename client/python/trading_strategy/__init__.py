"""Typed client of the Trading-Strategy Service, without dependencies."""
from .api import *  # noqa: F403
from .api import Client as Client
from .transport import OMIT as OMIT
from .transport import ApiError as ApiError
from .transport import Reply as Reply
from .transport import reply_of as reply_of
