import jwt
from flask import Flask, request
from verify import verify

app = Flask(__name__)


@app.get("/")
def home():
    try:
        return {"sub": verify(request.headers.get("Authorization", "").removeprefix("Bearer "))["sub"]}
    except jwt.PyJWTError as error:
        return {"error": str(error)}, 401
