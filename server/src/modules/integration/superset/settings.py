"""The settings of a Superset that runs for one test: nothing is kept, nobody else is served."""
import os

SECRET_KEY = "a test of one hour, on one machine"
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.path.join(os.environ["SUPERSET_HOME"], "superset.db")
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
LOG_LEVEL = "ERROR"
