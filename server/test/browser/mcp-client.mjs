// An MCP client made of @modelcontextprotocol/sdk, as relying-parties.ts starts it. Its argument is JSON: where the package is, the address of
// the MCP server, that of the document that describes the client, and its callback. Prints the address of the authorization request, reads
// that of the callback from standard input, and prints the tokens.
import { createInterface } from 'node:readline/promises'

const { sdk, server, document, callback } = JSON.parse(process.argv[2])
const { auth } = await import(sdk)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const known = {}
const provider = {
  redirectUrl: callback,
  clientMetadataUrl: document,
  clientMetadata: { client_name: 'MCP client', redirect_uris: [callback] },
  clientInformation: () => known.client,
  saveClientInformation: (client) => {
    known.client = client
  },
  tokens: () => known.tokens,
  saveTokens: (tokens) => {
    known.tokens = tokens
  },
  redirectToAuthorization: (address) => process.stdout.write(`${address.href}\n`),
  saveCodeVerifier: (verifier) => {
    known.verifier = verifier
  },
  codeVerifier: () => known.verifier,
}
await auth(provider, { serverUrl: server })
const { value } = await lines.next()
const authorizationCode = new URL(value).searchParams.get('code')
await auth(provider, { serverUrl: server, authorizationCode })
const first = known.tokens
// With tokens at hand it renews them.
await auth(provider, { serverUrl: server })
process.stdout.write(`${JSON.stringify({ first, renewed: known.tokens })}\n`)
process.stdin.destroy()
