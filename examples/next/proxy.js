export { requireSignIn as proxy } from '@bailiwick/react/server'

export const config = { matcher: '/members' }
