import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { BestSellers } from './BestSellers.tsx'

export function ProductNotFound() {
  return (
    <>
      <div className="shell grid justify-items-start gap-6 pt-8 lg:pt-14">
        <PageHead title={say('Product Not Found')} />
        <h1 className="text-headline">{say('Product Not Found')}</h1>
        <p className="max-w-[38em] text-lg text-ink-soft">
          {say('We do not make this one, or no longer do. The others are still here.')}
        </p>
        <Link to={paths.products} className={buttonClass('primary')}>
          {say('Back to Products')}
        </Link>
      </div>
      <BestSellers className="shell pt-10 lg:pt-16" />
    </>
  )
}
