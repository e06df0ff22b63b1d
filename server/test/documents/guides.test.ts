// The guides of second factors, sign-up and claims: their commands are accepted as they are printed, and what they name exists.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { errorCatalogue } from '@bailiwick/contract'
import { createTenant } from '../harness/factories.ts'
import { describeService, testEnv } from '../harness/service.ts'

const readText = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
const documents = ['openapi.json', 'openapi-frontend.json'].map((name) => readText(`contract/${name}`))
const paths = new Set(
  documents.flatMap((text) => {
    const { paths: all } = JSON.parse(text) as { paths: Record<string, object> }
    return Object.entries(all).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    )
  }),
)

/** Where the names of the packages are, which the guides mention. */
const parts = [
  'react/src/index.ts',
  'react/src/anonymous/use-anonymous-user.ts',
  'sdk/src/challenge.ts',
  'sdk/src/server/auth.ts',
  'sdk/src/fastify.ts',
]

interface Command {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

const bases: Readonly<Record<string, string>> = {
  BAILIWICK_API_URL: '/api/v0',
  BAILIWICK_FRONTEND: '/frontend/api/v0',
}

/** Returns the commands of a guide, with values in place of the variables of the shell. */
function commandsIn(guide: string, values: Readonly<Record<string, string>>): Command[] {
  const blocks = Array.from(guide.matchAll(/^```sh\n(curl .*?)^```$/gms), ([, text = '']) => text)
  return blocks.map((block) => {
    const text = block
      .replaceAll('\\\n', ' ')
      // The reader has keys in place of the dots.
      .replaceAll('…', '_key')
      .replaceAll(/\$(\w+)/g, (whole, name: string) => bases[name] ?? values[name] ?? whole)
    const payload = /-d '(.*?)'/s.exec(text)?.[1]
    const headers = Array.from(text.matchAll(/-H ["']([\w-]+): (.*?)["'](?= |$)/gm), ([, name = '', value = '']) => [
      name,
      value,
    ])
    return {
      method: (/-X (POST|PUT)/.exec(text)?.[1] as 'POST' | 'PUT' | undefined) ?? 'GET',
      url: /"(\/\S*)"/.exec(text)?.[1] ?? assert.fail(text),
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(payload === undefined ? {} : { payload }),
    }
  })
}

describeService(
  'the guide',
  (service) => {
    for (const name of ['docs/second-factors.md', 'docs/sign-up.md', 'docs/claims.md']) {
      it(`${name} prints commands that are accepted`, async () => {
        const { tenant, secretKey } = await createTenant(service())
        // The guide says to switch it on before the command.
        await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { anonymousUsersEnabled: true } })
        const values = {
          BAILIWICK_TENANT_ID: tenant.id,
          BAILIWICK_SECRET_KEY: secretKey,
          PUBLIC_KEY: tenant.publicKey,
        }
        const commands = commandsIn(readText(name), values)
        assert.ok(commands.length > 0)
        for (const command of commands) {
          const { status, text } = await service().request({
            ...command,
            headers: { host: 'id.test', ...command.headers },
          })
          assert.equal(status, 200, `${JSON.stringify(command)}: ${text}`)
        }
      })
    }

    for (const name of ['docs/second-factors.md', 'docs/sign-up.md']) {
      it(`${name} names operations, errors and settings that exist`, () => {
        const guide = readText(name)
        const operations = Array.from(
          guide.matchAll(/`(GET|POST|PUT|DELETE) (\/[\w/{}-]*)(?=[?`])/g),
          ([, method = '', path = '']) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
        )
        assert.ok(operations.length > 4)
        assert.deepEqual(
          operations.filter((each) => !paths.has(each)),
          [],
        )
        const codes = Array.from(
          guide.matchAll(/`(\w+)` \(\d{3}\)|\(\d{3} `(\w+)`\)/g),
          ([, one, other]) => one ?? other ?? '',
        )
        assert.ok(codes.length > 1)
        assert.deepEqual(
          codes.filter((code) => !Object.hasOwn(errorCatalogue, code)),
          [],
        )
        const words = Array.from(guide.matchAll(/`([a-z]+[A-Z][A-Za-z]*)`/g), ([, word = '']) => word)
        const known = [...documents, ...parts.map(readText)].join('')
        assert.deepEqual(
          [...new Set(words)].filter((word) => !new RegExp(`\\b${word}\\b`).test(known)),
          [],
        )
      })
    }
  },
  // No provider of puzzles is asked whether the secret of the guide is right.
  { ...testEnv, BAILIWICK_CHALLENGE_VERIFY_URL: 'http://127.0.0.1:9/siteverify' },
)
