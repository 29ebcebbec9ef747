import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { doorstep } from '#web/catalog/doorstep.ts'
import { BestSellers } from '#web/catalog/BestSellers.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Link } from './Link.tsx'

export function NotFoundPage() {
  return (
    <>
      <div className="shell grid items-center gap-x-10 gap-y-8 pt-8 md:grid-cols-2 lg:gap-x-16 lg:pt-14">
        <PageHead title={say('404 Page Not Found')} />
        <div className="grid justify-items-start gap-6">
          <h1 className="max-w-[8em] text-display">{say('404 Page Not Found')}</h1>
          <p className="max-w-[26em] text-lg text-ink-soft">
            {say('Nothing lives at this address. It may have moved, or somebody is lying on it.')}
          </p>
          <div className="flex flex-wrap gap-3">
            <Link to={paths.products} className={buttonClass('primary')}>
              {say('See all products')}
            </Link>
            <Link to={paths.home} className={buttonClass('outline')}>
              {say('Back to Home')}
            </Link>
          </div>
        </div>
        <AnimalPicture of={doorstep()} first className="aspect-video max-md:order-first" />
      </div>
      <BestSellers className="shell pt-14 lg:pt-16" />
    </>
  )
}
