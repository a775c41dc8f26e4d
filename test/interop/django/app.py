"""A Django project in one file: the settings that every project has, one page, and the recipe's settings."""

import os
import sys

from django.conf import settings

import oidc_settings

settings.configure(
    SECRET_KEY=os.environ["SESSION_SECRET"],
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "mozilla_django_oidc",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    **{name: value for name, value in vars(oidc_settings).items() if name.isupper()},
)

from django.contrib.auth.decorators import login_required
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import include, path


@login_required
def home(request):
    return JsonResponse({"sub": request.user.username, "name": request.user.first_name})


urlpatterns = [path("", home), path("oidc/", include("mozilla_django_oidc.urls"))]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
