import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { SessionUser } from '#contract/accounts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { signInPath } from './return-to.ts'
import { useSession } from './use-session.ts'

/** What only somebody who is signed in sees; everybody else is asked to sign in first, and comes back. */
export function RequireSignIn({ children }: { children: (user: SessionUser) => ReactNode }) {
  const { pathname, search, hash } = useLocation()
  const { user, isError, askAgain } = useSession()
  if (user) return children(user)
  if (user === null) return <Navigate to={signInPath(`${pathname}${search}${hash}`)} replace />
  return (
    <div className="shell grid min-h-[50vh] place-content-center justify-items-center gap-5 text-center">
      {isError ? (
        <>
          <p role="alert">We could not find out whether you are signed in.</p>
          <Button onClick={askAgain}>Try again</Button>
        </>
      ) : (
        <>
          <p role="status" className="flex items-center gap-3 text-ink-soft">
            <Spinner /> Loading...
          </p>
          <noscript>
            <p>This page needs JavaScript.</p>
          </noscript>
        </>
      )}
    </div>
  )
}
