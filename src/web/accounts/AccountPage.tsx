import { useQuery } from '@tanstack/react-query'
import type { SessionUser } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { accountQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
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
    <div className="shell pt-6 pb-8 sm:pt-10">
      <header className="on-dark pattern grid overflow-hidden rounded-card bg-charcoal text-ivory md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="grid content-center gap-6 p-6 sm:p-9">
          <div>
            <p className="eyebrow text-gold">{say('Your account')}</p>
            <h1 className="mt-2 text-headline wrap-anywhere">{user.username}</h1>
          </div>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Link to={user.role ? paths.admin : paths.partnership} className={buttonClass('quiet')}>
              {user.role ? say('Admin') : say('Partner portal')}
            </Link>
            <Button variant="plain" className="text-ivory!" busy={isLoggingOut} onClick={logout}>
              {isLoggingOut ? say('Logging out...') : say('Logout')}
            </Button>
          </div>
        </div>
        <AnimalPicture
          of={0}
          first
          className="aspect-2/1 rounded-none max-md:order-first md:aspect-auto md:h-0 md:min-h-full"
        />
      </header>
      <div className="mt-10 grid gap-10 sm:gap-12">
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
