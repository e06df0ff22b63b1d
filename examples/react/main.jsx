import { BailiwickProvider, OrganizationSwitcher, Protect, SignIn, UserButton } from '@bailiwick/react'
import '@bailiwick/react/styles.css'
import { createRoot } from 'react-dom/client'

const env = import.meta.env

createRoot(document.querySelector('main')).render(
  <BailiwickProvider
    frontendApiUrl={env.VITE_BAILIWICK_FRONTEND_API_URL}
    publicKey={env.VITE_BAILIWICK_PUBLIC_KEY}
    tenantId={env.VITE_BAILIWICK_TENANT_ID}
  >
    <Protect fallback={<SignIn />}>
      <UserButton />
      <OrganizationSwitcher />
      <a href="/orders">My orders</a>
    </Protect>
  </BailiwickProvider>,
)
