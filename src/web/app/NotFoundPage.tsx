import { Link } from 'react-router'
import { paths } from '#contract/paths.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

export function NotFoundPage() {
  return (
    <div className="shell grid min-h-[60vh] content-center justify-items-start gap-6 py-20">
      <PageHead title="404 Page Not Found" />
      <p
        className="font-display text-[clamp(5rem,22vw,13rem)] leading-[0.85] font-[340] tracking-[-0.05em] text-ink"
        aria-hidden="true"
      >
        404
      </p>
      <h1 className="text-headline">404 Page Not Found</h1>
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
