"""A relying party made of authlib: reads its settings and then the address of the callback from standard input, a line each, and prints
the address of the authorization request and then what it has found, as JSON. relying-parties.ts starts it."""

import json
import os
import secrets
import sys

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

settings = json.loads(sys.stdin.readline())
metadata = requests.get(settings["issuer"] + "/.well-known/openid-configuration", timeout=20).json()
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())


def verified(token, audience):
    claims = jwt.decode(
        token,
        keys,
        claims_options={
            "iss": {"essential": True, "value": settings["issuer"]},
            "aud": {"essential": True, "value": audience},
            "exp": {"essential": True},
        },
    )
    claims.validate()
    return claims


web = settings["web"]
verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
session = OAuth2Session(
    web["clientId"],
    web["clientSecret"],
    scope="openid email offline_access",
    redirect_uri=settings["callback"],
    code_challenge_method="S256",
    token_endpoint=metadata["token_endpoint"],
)
address, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, prompt="consent"
)
print(address, flush=True)

callback = sys.stdin.readline().strip()
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=callback, state=state, code_verifier=verifier
)
id_token = verified(token["id_token"], web["clientId"])
assert id_token["nonce"] == nonce
user = session.get(metadata["userinfo_endpoint"]).json()
refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])

machine = settings["machine"]
worker = OAuth2Session(machine["clientId"], machine["clientSecret"], scope="articles:read")
machine_token = worker.fetch_token(
    metadata["token_endpoint"], grant_type="client_credentials", resource=settings["indicator"]
)
access = verified(machine_token["access_token"], settings["indicator"])
print(
    json.dumps(
        {
            "idTokenSub": id_token["sub"],
            "userInfoEmail": user["email"],
            "isRefreshed": refreshed["access_token"] != token["access_token"],
            "machineSubject": access["sub"],
            "machineAudience": access["aud"],
            "machineScope": access["scope"],
        }
    ),
    flush=True,
)
