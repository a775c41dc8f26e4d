import jwt
from flask import Flask, request
from revocations import is_revoked
from verify import verify

app = Flask(__name__)


@app.get("/")
def home():
    try:
        claims = verify(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if is_revoked(claims):
            raise jwt.InvalidTokenError("revoked")
        return {"sub": claims["sub"]}
    except jwt.PyJWTError as error:
        return {"error": str(error)}, 401
