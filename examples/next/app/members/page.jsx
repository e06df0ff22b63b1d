import { OrganizationSwitcher, UserButton } from '@bailiwick/react'
import { authOf } from '@bailiwick/react/server'
import { headers } from 'next/headers'

export default async function Members() {
  return (
    <main>
      Hello, {(await authOf(await headers()))?.user.email} <UserButton signOutRedirectTo="/" /> <OrganizationSwitcher />
    </main>
  )
}
