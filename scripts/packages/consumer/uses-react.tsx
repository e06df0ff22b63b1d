// What a TypeScript project writes against @bailiwick/react: it must compile there, except for each marked line.
import {
  BailiwickProvider,
  OrganizationProfile,
  OrganizationSwitcher,
  Protect,
  SignIn,
  SignUp,
  SignedIn,
  SignedOut,
  UserButton,
  UserProfile,
  useOrganization,
  useSession,
  useToken,
  useUser,
} from '@bailiwick/react'
import { hostedPages, providerProps, requireSignIn } from '@bailiwick/react/server'
import { de } from '@bailiwick/react/texts'

function Orders() {
  const { isSignedIn, user } = useUser()
  const { session, signOut } = useSession()
  const { organization, setActive } = useOrganization()
  const { getToken } = useToken()
  // @ts-expect-error there may be no signed-in user
  console.log(user.id)
  if (!isSignedIn) return null
  const ask = async () => {
    const token: string | null = await getToken()
    await setActive(null)
    await signOut({ redirectTo: '/' })
    return token
  }
  return (
    <button onClick={() => void ask()}>
      {user.name} {session?.permissions.join()} {organization?.name}
    </button>
  )
}

export const app = (
  <BailiwickProvider
    frontendApiUrl="https://id.example.com/frontend/api/v0"
    publicKey="pk_1"
    texts={{ ...de, signIn: 'Los!' }}
    appearance={{ elements: { card: 'mine' } }}
  >
    <SignedOut>
      <SignIn redirectTo="/back" />
      <SignUp embedded onSignedIn={() => undefined} />
    </SignedOut>
    <SignedIn>
      <UserButton />
      <UserProfile />
      <OrganizationSwitcher />
      <OrganizationProfile />
      <Protect permission="orders:read" fallback={null}>
        <Orders />
      </Protect>
    </SignedIn>
    {/* @ts-expect-error no such part */}
    <SignIn appearance={{ elements: { buton: 'mine' } }} />
  </BailiwickProvider>
)

// @ts-expect-error a tenant has a public key
export const withoutKey = <BailiwickProvider frontendApiUrl="https://id.example.com/frontend/api/v0" />

export const server = [hostedPages({ frontendApiUrl: 'https://id.example.com/frontend/api/v0' }).account, requireSignIn]
export const props = (headers: Headers) => providerProps(headers)
