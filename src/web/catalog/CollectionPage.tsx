import { useParams } from 'react-router'
import { defaultCollection, findCollection } from '#site/collections/collections.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { heroOf } from './hero.ts'
import { Picture } from './Picture.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'

export function CollectionPage() {
  const { collection: id = defaultCollection.id } = useParams()
  const theme = findCollection(id) ?? defaultCollection

  return (
    <>
      <PageHead title={theme.displayName} description={theme.description} />
      <Hero theme={theme} />
      {theme.id !== 'example' && <Intro theme={theme} />}
      <section aria-label="Products" {...listHead} className="shell mt-14 scroll-mt-24 outline-none lg:mt-20">
        <Listing
          key={theme.id}
          columns={4}
          collection={theme.id}
          loading="Loading collection..."
          failed={<Unavailable />}
          empty={<EmptyCollection />}
        />
      </section>
    </>
  )
}

const EmptyCollection = () => <p className="py-10 text-lg">No products found in this collection.</p>

/** Only Sherlock has a picture (specification, section 2, Collection page). */
function Hero({ theme }: { theme: CollectionTheme }) {
  const portrait = theme.id === 'sherlock' ? heroOf(theme.id) : undefined
  return (
    <header className="on-dark bg-strong pattern text-ivory">
      <div
        className={classNames(
          'shell grid items-center gap-x-16 gap-y-10 py-14',
          portrait ? 'lg:grid-cols-[1.1fr_1fr] lg:py-20' : 'lg:py-28',
        )}
      >
        <div>
          <p className="eyebrow text-gold">{theme.displayName}</p>
          <h1 className={classNames('mt-4 text-display', portrait ? 'max-w-[7.5em]' : 'max-w-[11.6em]')}>
            {theme.heroTitle}
          </h1>
          <p className="mt-6 max-w-[26.7em] text-lg text-ivory/85">{theme.heroSubtitle}</p>
        </div>
        {portrait && (
          <div className="overflow-hidden rounded-card">
            <Picture
              picture={portrait}
              alt={`${theme.petName} on the moor at night, in a deerstalker, with a bubble pipe`}
              sizes="(min-width: 1024px) 40vw, 92vw"
              first
              className="aspect-video w-full object-cover"
            />
          </div>
        )}
      </div>
    </header>
  )
}

const Intro = ({ theme }: { theme: CollectionTheme }) => (
  <section aria-label={`About ${theme.petName}`} className="border-b border-line bg-surface">
    <div className="shell grid gap-x-16 gap-y-6 py-12 lg:grid-cols-[1.1fr_1fr] lg:py-16">
      <p className="max-w-[15.1em] font-display text-title leading-snug!">{theme.welcomeMessage}</p>
      <div className="max-w-[32.5em] text-ink-soft">
        <p>{theme.description}</p>
        <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-1">
          <a
            href={theme.channelUrl}
            rel="noopener"
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-ink link-line"
          >
            {theme.channelName}
            <Icon name="out" className="size-4" />
          </a>
          <span>{theme.socialHashtag}</span>
        </p>
      </div>
    </div>
  </section>
)

const Unavailable = () => (
  <div role="alert" className="max-w-[30.2em] py-10">
    <h2 className="text-title">Collection Temporarily Unavailable</h2>
    <p className="mt-3 mb-6 text-lg text-ink-soft">We're experiencing high traffic. Please try again in a moment.</p>
    <Button onClick={() => location.reload()}>Refresh Collection</Button>
  </div>
)
