// Both forms in one place: whoever has no account yet goes from one to the other without leaving the page.
import { lazy, useState } from 'react'
import type { EmbeddedFormProps } from './props.ts'

const SignInForm = lazy(() => import('./sign-in-form.tsx').then((module) => ({ default: module.SignInForm })))
const SignUpForm = lazy(() => import('./sign-up-form.tsx').then((module) => ({ default: module.SignUpForm })))

type FormsProps = Omit<EmbeddedFormProps, 'onSwitch' | 'isNext'> & { readonly isSignUp: boolean }

export function Forms({ isSignUp, ...props }: FormsProps) {
  const [isSwitched, setIsSwitched] = useState<boolean>()
  const shared = { ...props, isNext: isSwitched !== undefined, onSwitch: () => setIsSwitched(isSwitched !== true) }
  return (isSwitched === true) === isSignUp ? <SignInForm {...shared} /> : <SignUpForm {...shared} />
}
