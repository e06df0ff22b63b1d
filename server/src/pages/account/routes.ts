// The pages of an account, with their methods and paths.
import * as pageRoute from '../call/page-route.ts'
import type { Account } from './account.ts'

const overview = () => import('./overview.ts')
const confirm = () => import('./confirm.ts')
const profile = () => import('./profile.ts')
const password = () => import('./password.ts')
const passkeys = () => import('./passkeys.ts')
const app = () => import('./app.ts')
const recoveryCodes = () => import('./recovery-codes.ts')
const sessions = () => import('./sessions.ts')
const connections = () => import('./connections.ts')
const providerAccess = () => import('./provider-access.ts')
const apps = () => import('./apps.ts')
const keys = () => import('./keys.ts')
const data = () => import('./data.ts')
const contacts = () => import('./contacts.ts')

type PageRoute = pageRoute.PageRoute
type LoadHandler = () => Promise<(account: Account) => unknown>

const withAccount = (load: LoadHandler) => async () => {
  const [account, handler] = await Promise.all([import('./account.ts'), load()])
  return account.withAccount(handler)
}
const get = (path: string, load: LoadHandler) => pageRoute.get(path, withAccount(load))
const post = (path: string, load: LoadHandler) => pageRoute.post(path, withAccount(load))

type ContactPages = Awaited<ReturnType<typeof contacts>>['emailPages']

const contactRoutes = (path: string, pages: () => Promise<ContactPages>): readonly PageRoute[] => [
  get(path, async () => (await pages()).open),
  post(path, async () => (await pages()).add),
  get(`${path}/:id`, async () => (await pages()).openOne),
  post(`${path}/:id`, async () => (await pages()).verify),
  post(`${path}/:id/prepare`, async () => (await pages()).prepare),
  post(`${path}/:id/primary`, async () => (await pages()).makePrimary),
  get(`${path}/:id/remove`, async () => (await pages()).openRemoval),
  post(`${path}/:id/remove`, async () => (await pages()).remove),
]

export const accountRoutes: readonly PageRoute[] = [
  get('/account', async () => (await overview()).showOverview),
  get('/account/confirm', async () => (await confirm()).openConfirm),
  post('/account/confirm', async () => (await confirm()).confirm),
  get('/account/profile', async () => (await profile()).openProfile),
  post('/account/profile', async () => (await profile()).saveProfile),
  { ...post('/account/profile/picture', async () => (await profile()).savePicture), takesFile: true },
  post('/account/profile/picture/remove', async () => (await profile()).removePicture),
  ...contactRoutes('/account/emails', async () => (await contacts()).emailPages),
  ...contactRoutes('/account/phones', async () => (await contacts()).phonePages),
  get('/account/password', async () => (await password()).openPassword),
  post('/account/password', async () => (await password()).savePassword),
  get('/account/password/remove', async () => (await password()).openPasswordRemoval),
  post('/account/password/remove', async () => (await password()).removePassword),
  get('/account/passkeys', async () => (await passkeys()).openPasskeys),
  post('/account/passkeys', async () => (await passkeys()).addPasskey),
  post('/account/passkeys/options', async () => (await passkeys()).answerCreationOptions),
  get('/account/passkeys/signals', async () => (await passkeys()).answerSignals),
  get('/account/passkeys/:id', async () => (await passkeys()).openPasskey),
  post('/account/passkeys/:id', async () => (await passkeys()).renamePasskey),
  get('/account/passkeys/:id/remove', async () => (await passkeys()).openPasskeyRemoval),
  post('/account/passkeys/:id/remove', async () => (await passkeys()).removePasskey),
  get('/account/app', async () => (await app()).openApp),
  post('/account/app', async () => (await app()).beginApp),
  post('/account/app/confirm', async () => (await app()).confirmApp),
  get('/account/app/remove', async () => (await app()).openAppRemoval),
  post('/account/app/remove', async () => (await app()).removeApp),
  get('/account/recovery-codes', async () => (await recoveryCodes()).openRecoveryCodes),
  post('/account/recovery-codes', async () => (await recoveryCodes()).renewRecoveryCodes),
  get('/account/sessions', async () => (await sessions()).openSessions),
  post('/account/sessions/end-others', async () => (await sessions()).endOtherSessions),
  post('/account/sessions/trusted/:id', async () => (await sessions()).endTrust),
  post('/account/sessions/:id/end', async () => (await sessions()).endSession),
  get('/account/connections', async () => (await connections()).openConnections),
  post('/account/connections', async () => (await connections()).connect),
  get('/account/connections/:id/remove', async () => (await connections()).openDisconnection),
  post('/account/connections/:id/remove', async () => (await connections()).disconnect),
  get('/account/connections/allow/:id', async () => (await providerAccess()).openAccessRequest),
  post('/account/connections/allow/:id', async () => (await providerAccess()).allowAccess),
  get('/account/connections/:id/withdraw', async () => (await providerAccess()).openWithdrawal),
  post('/account/connections/:id/withdraw', async () => (await providerAccess()).withdrawAccess),
  get('/account/apps', async () => (await apps()).openApps),
  get('/account/apps/:id/remove', async () => (await apps()).openAppsRemoval),
  post('/account/apps/:id/remove', async () => (await apps()).removeAccess),
  get('/account/keys', async () => (await keys()).openKeys),
  get('/account/keys/new', async () => (await keys()).openCreation),
  post('/account/keys/new', async () => (await keys()).createKey),
  post('/account/keys/:id', async () => (await keys()).changeKey),
  get('/account/data', async () => (await data()).openData),
  post('/account/data', async () => (await data()).sendData),
  get('/account/delete', async () => (await data()).openDelete),
  post('/account/delete', async () => (await data()).deleteAccount),
]
