"""A Django project in one file: the settings that every project has, one page, and the recipe's settings."""

import os
import sys

import django
from django.conf import settings

import allauth_settings

settings.configure(
    SECRET_KEY=os.environ["SESSION_SECRET"],
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
        }
    ],
    LOGIN_URL="/accounts/oidc/vestibule/login/",
    **{name: value for name, value in vars(allauth_settings).items() if name.isupper()},
)
django.setup()

from django.contrib.auth.decorators import login_required
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import include, path


@login_required
def home(request):
    account = request.user.socialaccount_set.get()
    return JsonResponse({"sub": account.uid, "name": account.extra_data["userinfo"]["name"]})


urlpatterns = [path("", home), path("accounts/", include("allauth.urls"))]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
