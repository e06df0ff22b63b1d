import { SignIn } from '@bailiwick/react'

export default () => <SignIn redirectTo="/members" />
