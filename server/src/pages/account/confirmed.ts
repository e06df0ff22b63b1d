import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import type { Account } from './account.ts'

/**
 * Held before a page is shown whose form would be refused, so that nobody fills it in twice. The operation holds it again.
 * @throws ApiError reauthentication_required
 */
export const assertConfirmed = ({ page, session }: Account): void => assertFresh(page.deps, session)
