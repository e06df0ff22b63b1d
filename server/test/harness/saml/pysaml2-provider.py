"""An identity provider by pysaml2: reads metadata of a service and a request of it, and prints responses of several kinds.

Reads JSON from standard input: entityId, keyFile and certificateFile of the provider, those of another one (otherKeyFile,
otherCertificateFile), ssoUrl, metadataFile of the service, redirect (the query of the signed request), person and attributes.
Prints JSON: what it has read from the request, and the responses by kind, as base64.
"""
import base64
import json
import re
import sys
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, saml
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAME_FORMAT_BASIC, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature
from saml2.xmldsig import DIGEST_SHA1, DIGEST_SHA256, SIG_RSA_SHA1, SIG_RSA_SHA256

given = json.load(sys.stdin)


def provider(key_file, certificate_file):
    configuration = IdPConfig().load({
        'entityid': given['entityId'],
        'xmlsec_binary': '/usr/bin/xmlsec1',
        'key_file': key_file,
        'cert_file': certificate_file,
        'metadata': {'local': [given['metadataFile']]},
        'service': {
            'idp': {
                'endpoints': {'single_sign_on_service': [(given['ssoUrl'], BINDING_HTTP_REDIRECT)]},
                'policy': {'default': {'name_form': NAME_FORMAT_BASIC, 'lifetime': {'minutes': 5}}},
            },
        },
    })
    return Server(config=configuration)


own = provider(given['keyFile'], given['certificateFile'])
other = provider(given['otherKeyFile'], given['otherCertificateFile'])

query = {name: values[0] for name, values in parse_qs(given['redirect']).items()}
request = own.parse_authn_request(query['SAMLRequest'], BINDING_HTTP_REDIRECT).message
sp = request.issuer.text
certificate = own.metadata.certs(sp, 'spsso', 'signing')[0]
is_signed = verify_redirect_signature(query, own.sec.sec_backend, certificate)
binding, destination = own.pick_binding('assertion_consumer_service', request=request, entity_id=sp)
encryption = own.metadata.certs(sp, 'spsso', 'encryption')[0]

usual = {'sign_assertion': True, 'sign_alg': SIG_RSA_SHA256, 'digest_alg': DIGEST_SHA256}
place = {'in_response_to': request.id, 'destination': destination}


def respond(server=own, service=sp, **changes):
    arguments = {**place, **usual, **changes}
    name_id = NameID(format=NAMEID_FORMAT_PERSISTENT, text=given['person'], sp_name_qualifier=service)
    authn = {'class_ref': saml.AUTHN_PASSWORD, 'authn_auth': given['entityId']}
    text = str(server.create_authn_response(given['attributes'], name_id=name_id, sp_entity_id=service, authn=authn, **arguments))
    return base64.b64encode(text.encode()).decode()


encrypted = {'encrypt_assertion': True, 'encrypt_cert_assertion': encryption}
whole = {'sign_assertion': False, 'sign_response': True}
responses = {
    'the assertion signed': respond(),
    'the response signed': respond(**whole),
    'both signed': respond(sign_response=True),
    'nothing signed': respond(sign_assertion=False),
    'signed with SHA-1': respond(sign_alg=SIG_RSA_SHA1, digest_alg=DIGEST_SHA1),
    'signed by another key': respond(server=other),
    'encrypted with 3DES-CBC': respond(**encrypted),
    'for another request': respond(in_response_to='id-of-another'),
    'for another service': respond(service='https://other.example/metadata'),
    'for another address': respond(destination='https://id.example/elsewhere'),
}
print(json.dumps({
    'destination': destination,
    'binding': binding,
    'isSigned': is_signed,
    'requestId': request.id,
    'responses': responses,
}))
