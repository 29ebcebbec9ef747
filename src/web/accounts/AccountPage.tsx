import { useQuery } from '@tanstack/react-query'
import type { SessionUser } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { accountQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { say } from '#words/say.ts'
import { EmailSection } from './EmailSection.tsx'
import { OwnOrders } from './OwnOrders.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { ProofNotice } from './ProofNotice.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'
import { RequireSignIn } from './RequireSignIn.tsx'
import { SignInsSection } from './SignInsSection.tsx'
import { useSession } from './use-session.ts'

/** `/account`: for every signed-in user. */
export const AccountPage = () => (
  <>
    <PageHead title={say('Your account')} />
    <RequireSignIn>{(user) => <Account user={user} />}</RequireSignIn>
  </>
)

function Account({ user }: { user: SessionUser }) {
  const { isLoggingOut, logout } = useSession()
  return (
    <div className="shell pt-12 pb-8 lg:pt-16">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6">
        <div className="min-w-0">
          <p className="eyebrow text-ink-soft">{say('Your account')}</p>
          <h1 className="mt-2 text-headline wrap-anywhere">{user.username}</h1>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to={user.role ? paths.admin : paths.partnership} className={buttonClass('quiet')}>
            {user.role ? say('Admin') : say('Partner portal')}
          </Link>
          <Button variant="outline" busy={isLoggingOut} onClick={logout}>
            {isLoggingOut ? say('Logging out...') : say('Logout')}
          </Button>
        </div>
      </header>
      <div className="mt-12 grid gap-12">
        <ProofNotice />
        <QueryBoundary
          query={useQuery(accountQuery)}
          failureTitle={say('Your account could not be loaded')}
          className="min-h-[40vh]"
        >
          {(account) => (
            <>
              <OwnOrders email={account.email} />
              <EmailSection account={account} />
              <PasswordSection isStaff={user.role !== null} />
              {account.secondFactor !== 'none' && <SecondFactorSection account={account} />}
              <SignInsSection signIns={account.signIns} />
            </>
          )}
        </QueryBoundary>
      </div>
    </div>
  )
}
