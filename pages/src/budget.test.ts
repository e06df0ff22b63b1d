import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { states } from '../scripts/states.ts'
import {
  catalogueOf,
  identifierPage,
  languages,
  organizationMembersPage,
  script,
  signUpPage,
  styleSheet,
  textOf,
  type Frame,
  type Language,
  type OrganizationMembersView,
} from './index.ts'
import { shownProvider } from './parts/providers.ts'

const bytesOf = (text: string) => gzipSync(text, { level: 9 }).length
const frameIn = async (language: Language): Promise<Frame> => ({
  text: textOf(language.tag, await catalogueOf(language)),
  language,
  languages,
  tenant: { name: 'Acme', logoUri: '/logo', darkLogoUri: '/dark-logo', layout: 'split' },
  icon: '/pages/icon.svg',
  root: '/t/acme',
  address: '/t/acme/sign-in',
  formToken: 'x'.repeat(43),
  styles: ['/pages/x.css'],
  script: '/pages/x.js',
  links: { termsUri: 'https://acme.example/terms', privacyUri: 'https://acme.example/privacy' },
})

const newId = () => `c${randomBytes(12).toString('hex')}`
const roles = Array.from({ length: 10 }, () => ({ id: newId(), name: newId().slice(0, 12) }))

/** The longest page: twenty members, each of whom may be given any of ten roles. */
const fullList: OrganizationMembersView = {
  organization: {
    id: newId(),
    name: 'Acme',
    pictureUri: null,
    sections: ['details', 'members', 'invitations', 'domains'],
  },
  members: Array.from({ length: 20 }, (_, index) => ({
    id: newId(),
    name: newId(),
    identifier: `${newId()}@example.com`,
    pictureUri: null,
    role: roles[index % roles.length] ?? null,
    isYou: index === 0,
    canChange: true,
  })),
  total: 1000,
  roles,
  prev: null,
  next: '2026-07-01T09:30:00.000000Z',
}

describe('the hosted pages', () => {
  it('are at most 15 kB with their style sheet in every language, and their script at most 6 kB', async () => {
    const kinds = { email: true, phone: true, username: true }
    const providers = (['google', 'github', 'gitlab', 'apple', 'facebook'] as const).map(shownProvider)
    const fields = ['email', 'phone', 'username', 'name', 'password'] as const
    for (const language of languages) {
      const { tag, direction } = language
      const frame = await frameIn(language)
      const pages = [
        identifierPage(frame, { kinds, providers, hasPasskeys: true, canSignUp: true }),
        signUpPage(frame, { fields, providers, canSignIn: true, passwordLengthMin: 8 }),
        organizationMembersPage(frame, fullList),
      ]
      for (const page of pages) {
        assert.ok(bytesOf(page) + bytesOf(styleSheet()) <= 15_000, tag)
        assert.ok(page.includes(`<html lang="${tag}" dir="${direction}">`), tag)
        assert.doesNotMatch(page, /[{}]|undefined/, tag)
      }
    }
    assert.ok(bytesOf(script()) <= 6000, `the script has ${bytesOf(script())} bytes`)
  })

  it('are within that size in every state', async () => {
    const [english] = languages
    assert.ok(english !== undefined)
    const frame = await frameIn(english)
    for (const [name, state] of Object.entries(states)) {
      const page = state(frame)
      assert.ok(bytesOf(page) + bytesOf(styleSheet()) <= 15_000, name)
      assert.doesNotMatch(page, /[{}]|undefined|\[object/, name)
    }
  })

  it('use every text', async () => {
    const root = new URL('../../', import.meta.url)
    // The components of the React package fetch some of them from the service: panel-texts.ts names these.
    const isSource = (name: string) =>
      name.endsWith('texts/panel-texts.ts') || (!name.includes('texts/') && !name.endsWith('.test.ts'))
    const sources = ['pages/src/', 'pages/scripts/', 'server/src/pages/'].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && isSource(name))
        .map((name) => readFileSync(new URL(folder + name, root), 'utf8')),
    )
    const whole = sources.join('\n')
    const unused = Object.keys(await catalogueOf({ tag: 'en' })).filter((key) => !whole.includes(`'${key}'`))
    assert.deepEqual(unused, [])
  })
})
