// What the user is asked before an application gets a code, in this order: a new account, the account, a sign-in, consent. The engine runs
// these checks again after each answer, so each of them ends with an answer or an error: one that asked again would never end.
import { type KoaContextWithOIDC, errors, interactionPolicy } from 'oidc-provider'
import { twoFactors } from '../../../identity/sessions/proof.ts'
import { findLiveSession } from '../../../identity/sessions/sessions.ts'
import { findUser } from '../../../identity/users/users.ts'
import { requiresSecondFactor } from '../../applications/application-records.ts'
import { isAmong, requestedStrengths, requestedSubject, requiredStrengths } from '../../sign-ins/requirements.ts'
import { isTooWeak } from '../../sign-ins/strength.ts'
import { currentTenancy } from '../tenancy.ts'
import { findActiveUser } from './accounts.ts'

const { Check, Prompt, base } = interactionPolicy

const parametersOf = (ctx: KoaContextWithOIDC): Readonly<Record<string, unknown>> => ctx.oidc.params ?? {}

/** Returns whether the application wants another user than the one who is signed in. @throws LoginRequired if that one does not exist. */
async function isAnotherWanted(ctx: KoaContextWithOIDC): Promise<boolean> {
  const subject = requestedSubject(parametersOf(ctx))
  if (subject === undefined || subject === ctx.oidc.session?.accountId) return false
  if ((await findActiveUser(subject)) === undefined) {
    throw new errors.LoginRequired('the user whom the request names does not exist or cannot sign in')
  }
  return true
}

/** Returns whether a new sign-in can be stronger, as the application requests or its record requires. The user is asked once at most. */
async function isStrongerWanted(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { acr, client, result, session } = ctx.oidc
  const parameters = parametersOf(ctx)
  const { deps, tenant, store } = currentTenancy()
  const isByRule = await requiresSecondFactor(deps.db, tenant, client?.clientId ?? '')
  const wanted = isByRule ? [twoFactors] : requestedStrengths(parameters)
  if (wanted.length === 0 || wanted.includes(acr ?? '') || session?.accountId === undefined) return false
  const sessionId = store.sessionIdOf(session.uid)
  const row = sessionId && (await findLiveSession(deps.db, tenant.row.id, sessionId, deps.clock.now()))
  if (result?.login === undefined && row && (isByRule || (await isTooWeak(deps.db, row, wanted)))) return true
  if (!isByRule && requiredStrengths(parameters).length === 0) return false
  throw new errors.UnmetAuthenticationRequirements('the user cannot sign in as strongly as the request requires')
}

/** Returns whether the hint names none of the ways in which the user of the session is called, where a browser has several accounts. */
async function isAnotherHinted(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { result, session } = ctx.oidc
  const { deps, tenant } = currentTenancy()
  const { login_hint: hint } = parametersOf(ctx)
  const userId = session?.accountId
  if (!tenant.auth.severalAccountsEnabled || typeof hint !== 'string' || result?.login !== undefined) return false
  const user = userId === undefined ? undefined : await findUser(deps, tenant.row.id, userId)
  if (user === undefined) return false
  const emails = user.emailAddresses.map(({ email }) => email)
  return !isAmong([...emails, ...user.phoneNumbers.map(({ phone }) => phone), user.row.username], hint)
}

export function createPolicy() {
  const prompts = base()
  // They come before a sign-in, which answers them: a user who signs in has chosen the account.
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  prompts.add(new Prompt({ name: 'create', requestable: true }), 0)
  const consent = prompts.get('consent')
  consent?.checks.remove('native_client_prompt')
  consent?.checks.add(
    // Asks the user of a native application at every authorization without another prompt, because others can pretend to be the
    // application (RFC 8252 §8.6).
    new Check('native_client_prompt', 'native clients require an interaction', 'interaction_required', (ctx) => {
      const { client, result } = ctx.oidc
      return client?.applicationType === 'native' && result?.consent === undefined && result?.login === undefined
    }),
    0,
  )
  consent?.checks.add(
    new Check('whole_resource', 'a requested resource is not allowed', 'consent_required', (ctx) => {
      const { wholeResources } = currentTenancy().store
      return Object.entries(ctx.oidc.resourceServers ?? {}).some(
        ([indicator, { scope }]) => scope === '' && !wholeResources.has(indicator),
      )
    }),
  )
  const login = prompts.get('login')
  for (const reason of ['id_token_hint', 'claims_id_token_sub_value', 'essential_acrs', 'essential_acr']) {
    login?.checks.remove(reason)
  }
  login?.checks.add(
    new Check('subject', 'another user is signed in than the request names', 'login_required', isAnotherWanted),
  )
  login?.checks.add(new Check('hint', 'another account is hinted at', 'login_required', isAnotherHinted))
  login?.checks.add(new Check('acr', 'a stronger sign-in is required', 'login_required', isStrongerWanted))
  return prompts
}
