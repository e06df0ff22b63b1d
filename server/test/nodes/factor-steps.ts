// The steps that are possible on the way to a session with a second factor, and beside it.
import type { SignInStrategy } from '@bailiwick/contract'
import fc from 'fast-check'

const who = fc.constantFrom(0, 1)
/** Mostly the newest attempt: older ones only show that they are not open. */
const attempt = fc.constantFrom(0, 0, 0, 1, 2)
export const settings = [
  'strategyEmailPasswordEnabled',
  'strategyEmailCodeEnabled',
  'strategyPhoneCodeEnabled',
  'strategyAuthenticatorCodeEnabled',
  'strategySecurityKeyEnabled',
] as const
export type Setting = (typeof settings)[number]
const codeStrategies = ['email_code', 'phone_code'] as const
export type CodeStrategy = (typeof codeStrategies)[number]
export const settingOf: Partial<Record<SignInStrategy, Setting>> = {
  email_password: 'strategyEmailPasswordEnabled',
  email_code: 'strategyEmailCodeEnabled',
  phone_code: 'strategyPhoneCodeEnabled',
}
const changes = [
  'password',
  'phone',
  'app removed',
  'app replaced',
  'key removed',
  'key replaced',
  'recovery codes',
  'suspended',
  'unsuspended',
] as const

const strategy = fc.constantFrom(...codeStrategies)
const at = { browser: who, attempt }
const seconds = ['app', 'app', 'app', 'old app', 'app of another', 'recovery', 'spent', 'of another', 'junk'] as const

/** Steps towards a session are more frequent than those that hinder it. */
export const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('begin' as const),
      browser: who,
      account: fc.constantFrom(0, 0, 1),
      by: fc.constantFrom('email' as const, 'email' as const, 'phone' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send' as const), ...at, strategy }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('code' as const),
      ...at,
      strategy,
      with: fc.constantFrom('newest' as const, 'newest' as const, 'of another' as const, 'junk' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('password' as const),
      ...at,
      with: fc.constantFrom('right' as const, 'right' as const, 'right' as const, 'earlier' as const, 'wrong' as const),
      /** The user whom it names at the same time. */
      as: fc.constantFrom(undefined, undefined, undefined, 0, 1),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('second' as const), ...at, with: fc.constantFrom(...seconds) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('key' as const),
      ...at,
      as: fc.constantFrom('first' as const, 'second' as const, 'second' as const),
      with: fc.constantFrom('own' as const, 'own' as const, 'earlier' as const, 'of another' as const),
      /** The challenge that was just issued, or one that was answered before. */
      answers: fc.constantFrom('this' as const, 'this' as const, 'earlier' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('raise' as const), browser: who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      account: fc.constantFrom(0, 0, 1),
      what: fc.constantFrom(...changes),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      setting: fc.constantFrom(...settings),
      isOn: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 11) }) },
)

export type Change = (typeof changes)[number]

export type Step =
  | { readonly do: 'begin'; readonly browser: number; readonly account: number; readonly by: 'email' | 'phone' }
  | { readonly do: 'send'; readonly browser: number; readonly attempt: number; readonly strategy: CodeStrategy }
  | {
      readonly do: 'code'
      readonly browser: number
      readonly attempt: number
      readonly strategy: CodeStrategy
      readonly with: 'newest' | 'of another' | 'junk'
    }
  | {
      readonly do: 'password'
      readonly browser: number
      readonly attempt: number
      readonly with: 'right' | 'earlier' | 'wrong'
      readonly as?: number | undefined
    }
  | {
      readonly do: 'second'
      readonly browser: number
      readonly attempt: number
      readonly with: (typeof seconds)[number]
    }
  | {
      readonly do: 'key'
      readonly browser: number
      readonly attempt: number
      readonly as: 'first' | 'second'
      readonly with: 'own' | 'earlier' | 'of another'
      readonly answers: 'this' | 'earlier'
    }
  | { readonly do: 'raise'; readonly browser: number }
  | { readonly do: 'change'; readonly account: number; readonly what: Change }
  | { readonly do: 'switch'; readonly setting: Setting; readonly isOn: boolean }
  | { readonly do: 'wait'; readonly minutes: number }
