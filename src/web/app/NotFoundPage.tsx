import { Link } from 'react-router'
import { paths } from '#contract/paths.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

export function NotFoundPage() {
  return (
    <div className="shell grid min-h-[60vh] content-center justify-items-start gap-6 py-20">
      <PageHead title="404 Page Not Found" />
      <h1 className="max-w-[8em] text-display">404 Page Not Found</h1>
      <p className="max-w-[38em] text-lg text-ink-soft">
        Nothing lives at this address. It may have moved, or somebody is lying on it.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.products} className={buttonClass('primary')}>
          See all products
        </Link>
        <Link to={paths.home} className={buttonClass('outline')}>
          Back to Home
        </Link>
      </div>
    </div>
  )
}
