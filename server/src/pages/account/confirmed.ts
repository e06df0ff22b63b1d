import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import type { Account } from './account.ts'

/**
 * Checked before a page is shown whose form would be refused, so that nobody fills it in twice. The operation checks it again.
 * @throws ApiError reauthentication_required
 */
export const assertConfirmed = ({ page, session }: Account): void => assertFresh(page.deps, session)
