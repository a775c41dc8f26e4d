from mozilla_django_oidc.auth import OIDCAuthenticationBackend


class SubjectBackend(OIDCAuthenticationBackend):
    """Identifies users by `sub`; the library's default is the email address, which may be missing."""

    def filter_users_by_claims(self, claims):
        return self.UserModel.objects.filter(username=claims["sub"])

    def create_user(self, claims):
        return self.UserModel.objects.create_user(claims["sub"], first_name=claims.get("name", ""))
