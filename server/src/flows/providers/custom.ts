// An OpenID provider that a tenant has set up by its issuer, which its settings name. `sub` alone says who somebody is: a claim that users can
// change at the provider, such as an address, would let them become somebody else here.
import { userOfOpenId } from './provider-user.ts'
import type { Provider } from './provider.ts'

export const custom: Provider = { baseUrl: '', scopes: ['openid'], readUser: userOfOpenId }
