// The app that the tests look at: a page for each way of using the package, named in the address.
import { createMemoryTokenStore } from '@bailiwick/sdk/frontend'
import { createElement, useState } from 'react'
import { ApiKeys } from '../src/api-keys.tsx'
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
  useRecentProof,
  useSession,
  useToken,
  useUser,
  type InitialState,
} from '../src/index.ts'
import { OrganizationProfile as OrganizationPanel } from '../src/panels/organization-profile.tsx'
import { OrganizationSwitcher as OrganizationList } from '../src/panels/organization-switcher.tsx'
import { UserProfile as UserPanel } from '../src/panels/user-profile.tsx'
import { ar } from '../src/texts/index.ts'

export interface AppProps {
  readonly scene: 'links' | 'sign-in' | 'sign-up' | 'tokens' | 'keys' | 'proof' | 'panels'
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tenantId: string
  readonly language?: 'ar' | undefined
  readonly initialState?: InitialState | undefined
}

function Facts() {
  const { user } = useUser()
  const { session } = useSession()
  const { organization } = useOrganization()
  const { getToken } = useToken()
  const [tokens, setTokens] = useState<readonly (string | null)[]>([])
  const ask = async () => setTokens(await Promise.all(Array.from({ length: 5 }, getToken)))
  return (
    <section>
      <p id="who">{user?.name}</p>
      <p id="actor">{session?.actor?.type}</p>
      <p id="organization">{organization?.name}</p>
      <button type="button" onClick={() => void ask()}>
        Ask for tokens
      </button>
      <output id="tokens" hidden>
        {tokens.join(' ')}
      </output>
    </section>
  )
}

function Links() {
  return (
    <>
      <SignedOut>
        <SignIn redirectTo="/" appearance={{ elements: { primaryButton: 'mine' } }} />
        <SignUp />
      </SignedOut>
      <SignedIn>
        <UserButton />
        <OrganizationSwitcher />
        <UserProfile />
        <OrganizationProfile />
        <Facts />
        <Protect permission="orders:read" fallback={<p>No orders for you.</p>}>
          <p>All the orders.</p>
        </Protect>
        <Protect organizationPermission="org:manage" fallback={<p>Not in charge.</p>}>
          <p>In charge.</p>
        </Protect>
      </SignedIn>
    </>
  )
}

function Embedded({ scene }: Pick<AppProps, 'scene'>) {
  const [isDone, setIsDone] = useState(false)
  const props = { onSignedIn: () => setIsDone(true) }
  return (
    <>
      <SignedOut>
        {scene === 'sign-in' && <SignIn embedded {...props} />}
        {scene === 'sign-up' && <SignUp embedded {...props} />}
        {scene === 'tokens' && <SignIn {...props} />}
      </SignedOut>
      <SignedIn>
        <UserButton />
        <Facts />
      </SignedIn>
      <p id="done">{isDone && 'done'}</p>
    </>
  )
}

const Keys = ({ language }: Pick<AppProps, 'language'>) => (
  <>
    <SignedOut>
      <SignIn redirectTo="/" />
    </SignedOut>
    <ApiKeys language={language} />
  </>
)

const refusal = <p>refused</p>

/** Each line says what `<Protect>` shows for one condition. */
function Proof() {
  const recent = useRecentProof({ maxAge: 600 })
  const second = useRecentProof({ level: 'second_factor' })
  const never = useRecentProof({ maxAge: 0 })
  return (
    <Protect fallback={<SignIn redirectTo="/" />}>
      <div id="recent">{String(recent.isProven)}</div>
      <div id="second">{String(second.isProven)}</div>
      <div id="level-recent">{<Protect level="recent" fallback={refusal} children="shown" />}</div>
      <div id="level-second">{<Protect level="second_factor" fallback={refusal} children="shown" />}</div>
      <div id="age">{<Protect maxAge={0} fallback={refusal} children="shown" />}</div>
      <div id="role">{<Protect role="Editor" fallback={refusal} children="shown" />}</div>
      <div id="organization-role">{<Protect organizationRole="admin" fallback={refusal} children="shown" />}</div>
      <div id="condition">
        {<Protect condition={(_session, user) => user.name === 'Ada'} fallback={refusal} children="shown" />}
      </div>
      <div id="both">{<Protect role="Editor" level="second_factor" fallback={refusal} children="shown" />}</div>
      <button type="button" onClick={() => never.prove()}>
        Prove it
      </button>
    </Protect>
  )
}

const Panels = () => (
  <Protect fallback={<SignIn redirectTo="/" />}>
    <UserButton />
    <OrganizationList />
    <UserPanel />
    <OrganizationPanel />
  </Protect>
)

const scenes = { links: Links, proof: Proof, panels: Panels }

export function App({ frontendApiUrl, initialState, language, publicKey, scene, tenantId }: AppProps) {
  const [tokens] = useState(() => (scene === 'tokens' ? createMemoryTokenStore() : undefined))
  return (
    <BailiwickProvider
      frontendApiUrl={frontendApiUrl}
      publicKey={publicKey}
      tenantId={tenantId}
      initialState={initialState}
      texts={language === 'ar' ? ar : undefined}
      tokens={tokens}
    >
      <h1>Acme</h1>
      {scene === 'keys' ? (
        <Keys language={language} />
      ) : scene === 'links' || scene === 'proof' || scene === 'panels' ? (
        createElement(scenes[scene])
      ) : (
        <Embedded scene={scene} />
      )}
    </BailiwickProvider>
  )
}
