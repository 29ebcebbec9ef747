import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { SessionUser } from '#contract/accounts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { say } from '#words/say.ts'
import { signInPath } from './return-to.ts'
import { useSession } from './use-session.ts'

/** Renders for signed-in users; everyone else signs in first and comes back. */
export function RequireSignIn({ children }: { children: (user: SessionUser) => ReactNode }) {
  const { pathname, search, hash } = useLocation()
  const { user, isError, refetch } = useSession()
  if (user) return children(user)
  if (user === null) return <Navigate to={signInPath(`${pathname}${search}${hash}`)} replace />
  return (
    <div className="shell grid min-h-[50vh] place-content-center justify-items-center gap-5 text-center">
      {isError ? (
        <>
          <p role="alert">{say('We couldn’t check whether you’re signed in.')}</p>
          <Button onClick={refetch}>{say('Try again')}</Button>
        </>
      ) : (
        <>
          <p role="status" className="flex items-center gap-3 text-ink-soft">
            <Spinner /> {say('Loading...')}
          </p>
          <noscript>
            <p>{say('This page needs JavaScript.')}</p>
          </noscript>
        </>
      )}
    </div>
  )
}
