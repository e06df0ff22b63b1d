// The pages of an account, with their methods and paths.
import type { PageRoute } from '../page-route.ts'
import { type Account, withAccount } from './account.ts'
import { openApps, openAppsRemoval, removeAccess } from './apps.ts'
import { beginApp, confirmApp, openApp, openAppRemoval, removeApp } from './app.ts'
import { confirm, openConfirm } from './confirm.ts'
import { connect, disconnect, openConnections, openDisconnection } from './connections.ts'
import { emailPages, phonePages } from './contacts.ts'
import { deleteAccount, openData, openDelete, sendData } from './data.ts'
import { showOverview } from './overview.ts'
import {
  addPasskey,
  answerCreationOptions,
  openPasskey,
  openPasskeyRemoval,
  openPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts'
import { openPassword, openPasswordRemoval, removePassword, savePassword } from './password.ts'
import { openProfile, removePicture, savePicture, saveProfile } from './profile.ts'
import { openRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { endOtherSessions, endSession, openSessions } from './sessions.ts'

type Handler = (account: Account) => unknown

const get = (path: string, handler: Handler): PageRoute => ({ method: 'GET', path, handler: withAccount(handler) })
const post = (path: string, handler: Handler): PageRoute => ({ method: 'POST', path, handler: withAccount(handler) })

const contactRoutes = (path: string, pages: typeof emailPages): readonly PageRoute[] => [
  get(path, pages.open),
  post(path, pages.add),
  get(`${path}/:id`, pages.openOne),
  post(`${path}/:id`, pages.verify),
  post(`${path}/:id/prepare`, pages.prepare),
  post(`${path}/:id/primary`, pages.makePrimary),
  get(`${path}/:id/remove`, pages.openRemoval),
  post(`${path}/:id/remove`, pages.remove),
]

export const accountRoutes: readonly PageRoute[] = [
  get('/account', showOverview),
  get('/account/confirm', openConfirm),
  post('/account/confirm', confirm),
  get('/account/profile', openProfile),
  post('/account/profile', saveProfile),
  { ...post('/account/profile/picture', savePicture), takesFile: true },
  post('/account/profile/picture/remove', removePicture),
  ...contactRoutes('/account/emails', emailPages),
  ...contactRoutes('/account/phones', phonePages),
  get('/account/password', openPassword),
  post('/account/password', savePassword),
  get('/account/password/remove', openPasswordRemoval),
  post('/account/password/remove', removePassword),
  get('/account/passkeys', openPasskeys),
  post('/account/passkeys', addPasskey),
  post('/account/passkeys/options', answerCreationOptions),
  get('/account/passkeys/:id', openPasskey),
  post('/account/passkeys/:id', renamePasskey),
  get('/account/passkeys/:id/remove', openPasskeyRemoval),
  post('/account/passkeys/:id/remove', removePasskey),
  get('/account/app', openApp),
  post('/account/app', beginApp),
  post('/account/app/confirm', confirmApp),
  get('/account/app/remove', openAppRemoval),
  post('/account/app/remove', removeApp),
  get('/account/recovery-codes', openRecoveryCodes),
  post('/account/recovery-codes', renewRecoveryCodes),
  get('/account/sessions', openSessions),
  post('/account/sessions/end-others', endOtherSessions),
  post('/account/sessions/:id/end', endSession),
  get('/account/connections', openConnections),
  post('/account/connections', connect),
  get('/account/connections/:id/remove', openDisconnection),
  post('/account/connections/:id/remove', disconnect),
  get('/account/apps', openApps),
  get('/account/apps/:id/remove', openAppsRemoval),
  post('/account/apps/:id/remove', removeAccess),
  get('/account/data', openData),
  post('/account/data', sendData),
  get('/account/delete', openDelete),
  post('/account/delete', deleteAccount),
]
