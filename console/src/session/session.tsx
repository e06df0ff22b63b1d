// Who uses the console: a console user who has signed in, or, on a development deployment, anybody on the same machine.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, createContext, use } from 'react'
import { Problem } from '../parts/states.tsx'
import { type Session, readSession, sessionKey } from './read-session.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { SignInPage } from './sign-in-page.tsx'

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('useSession is used outside of SessionGate')
  return session
}

/** Shows its children to a signed-in user, and the way to sign in to everybody else. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => readSession(signal),
    staleTime: Infinity,
  })
  if (error !== null) {
    return (
      <main className="alone">
        <Problem error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (data === undefined) return null
  if (data.kind === 'none') return <SignInPage />
  return (
    <SessionContext value={data}>
      {children}
      <SignInAgain />
    </SessionContext>
  )
}
