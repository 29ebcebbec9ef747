import { Link } from 'react-router'
import { label } from '#brand/label.ts'
import { paths } from '#contract/paths.ts'
import type { SessionUser } from '#contract/accounts.ts'
import { SignedIn } from '#web/accounts/SignedIn.tsx'
import { useSession } from '#web/accounts/use-session.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

export const PartnershipPage = () => (
  <>
    <PageHead title="Partner portal" />
    <SignedIn>{(user) => <Portal user={user} />}</SignedIn>
  </>
)

function Portal({ user }: { user: SessionUser }) {
  const { doing, logout } = useSession()
  return (
    <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
      <p className="eyebrow text-ink-soft">Partner portal</p>
      <h1 className="max-w-full text-headline wrap-anywhere">Welcome, {user.username}</h1>
      <p className="max-w-[36em] text-lg text-ink-soft">
        The partner portal opens on this page soon. Until it does, partners and the people of {label.name} talk by mail:{' '}
        <a href={`mailto:${label.businessEmail}`} className="link-line">
          {label.businessEmail}
        </a>
        .
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.contact} className={buttonClass('primary')}>
          Write to us
        </Link>
        {/* A failure is told by the toast. */}
        <Button look="outline" busy={doing === 'logout'} onClick={() => void logout().catch(() => {})}>
          {doing === 'logout' ? 'Logging out...' : 'Logout'}
        </Button>
      </div>
    </div>
  )
}
