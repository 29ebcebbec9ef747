import { Fragment, lazy, Suspense, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { HomeSection, PageSettings } from '#site/settings.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { CollectionCard } from '#contract/collections.ts'
import { paths } from '#contract/paths.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { shippingAtHome } from '#domain/catalog/shipping-terms.ts'
import { collectionsQuery, showcaseQuery } from '#web/api/queries.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCollection, useCollections } from '#web/app/use-collections.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { ACROSS_A_PHONE, Picture } from '#web/catalog/Picture.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { homePieces } from './decorative-pictures.ts'

// Part of the page that the server sends; its script is loaded when nothing else is to do.
const NextDrop = import.meta.env.SSR
  ? (await import('#web/drops/DropTeaser.tsx')).NextDrop
  : lazy(async () => ({ default: (await import('#web/drops/DropTeaser.tsx')).NextDrop }))

export function HomePage() {
  const site = useSite()
  const pieces = homePieces(useCollections())
  const { data: products = [] } = useQuery({ ...showcaseQuery(pieces), enabled: pieces.length > 0 })
  return (
    <>
      <PageHead
        description={`${site.tagline}: hats, shirts and household goods, drawn here and made to order. Shipped worldwide.`}
      />
      {!site.homeSections.includes('hero') && <h1 className="sr-only">{site.name}</h1>}
      {site.homeSections.map((section, index) => {
        const Section = sections[section]
        return (
          <Fragment key={section}>
            <Section site={site} products={products} />
            {index === 0 && (
              <Suspense>
                <NextDrop />
              </Suspense>
            )}
          </Fragment>
        )
      })}
    </>
  )
}

const tileClasses = ['max-sm:col-span-2 sm:col-span-2 sm:row-span-2', '', ''] as const

const Hero = ({ site, products }: { site: PageSettings; products: readonly ProductCard[] }) => (
  <section className="on-dark bg-charcoal pattern text-ivory">
    <div className="shell grid items-center gap-x-14 gap-y-12 py-14 lg:grid-cols-[1fr_1.12fr] lg:py-20">
      <div>
        <h1 className="max-w-[7em] text-display">Famous pets, properly made</h1>
        <p className="mt-7 max-w-[25.5em] text-lg text-ivory/85">
          {site.name} is {site.tagline.charAt(0).toLowerCase()}
          {site.tagline.slice(1)}. We turn the animals the internet cannot stop watching into things that outlast a
          video.
        </p>
        <p className="mt-9 flex flex-wrap gap-3">
          <a href="#collections" className={buttonClass('primary', 'bg-gold! text-charcoal! hover:bg-ivory!')}>
            Explore Collections
          </a>
          <Link
            to={paths.about}
            className={buttonClass('outline', 'border-ivory/70! text-ivory! hover:bg-ivory! hover:text-charcoal!')}
          >
            Our Story
          </Link>
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 sm:grid-cols-3 sm:grid-rows-2">
        {products.map((product, index) => (
          <Link
            key={product.id}
            to={paths.product(product.id)}
            className={`group block overflow-hidden rounded-card bg-charcoal-soft ${tileClasses[index] ?? ''}`}
          >
            <Picture
              picture={product.picture ?? undefined}
              alt={pictureAlt(product.name, product.picture ?? { view: '', color: null })}
              sizes={
                index === 0
                  ? `(min-width: 1024px) 30vw, (min-width: 640px) 60vw, ${ACROSS_A_PHONE}`
                  : '(min-width: 1024px) 15vw, (min-width: 640px) 30vw, 46vw'
              }
              first={index === 0}
              className="aspect-square w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.03]"
            />
          </Link>
        ))}
      </div>
    </div>
  </section>
)

function Collections({ site: { upcoming }, products }: { site: PageSettings; products: readonly ProductCard[] }) {
  const { data } = useQuery(collectionsQuery)
  const onHome = data?.collections.filter((collection) => collection.onHome) ?? []
  return (
    <section id="collections" aria-labelledby="collections-title" className="shell scroll-mt-20 pt-20 lg:pt-28">
      <h2 id="collections-title" className="max-w-[10.4em] text-headline">
        One collection per animal
      </h2>
      <div className="mt-10 grid gap-6 sm:grid-cols-2 lg:grid-cols-[1.5fr_1fr] lg:gap-8">
        {onHome.map((collection, index) => (
          <Tile
            key={collection.id}
            collection={collection}
            piece={products.find((product) => product.collection === collection.id)}
            isLarge={index === 0}
          />
        ))}
        {upcoming.map(({ title, text }) => (
          <article
            key={title}
            className="flex flex-col justify-between rounded-card border border-line bg-surface pattern p-6 lg:p-9"
          >
            <div>
              <p className="eyebrow text-ink-soft">Coming soon</p>
              <h3 className="mt-3 text-title">{title}</h3>
              <p className="mt-2 max-w-[23.2em] text-ink-soft">{text}</p>
            </div>
            <Button variant="outline" disabled className="mt-8 self-start">
              Stay Tuned
            </Button>
          </article>
        ))}
      </div>
    </section>
  )
}

type TileProps = { collection: CollectionCard; piece: ProductCard | undefined; isLarge: boolean }

/** @param piece shown where the collection has no picture of its own */
function Tile({ collection, piece, isLarge }: TileProps) {
  const { hero, displayName, description, isComingSoon } = collection
  const picture = hero ? toPicture(hero) : (piece?.picture ?? undefined)
  return (
    <Link
      to={pathOfCollection(collection)}
      className={classNames(
        'group relative flex flex-col overflow-hidden rounded-card border border-line bg-surface shadow-card',
        isLarge && 'sm:max-lg:col-span-2 lg:row-span-2',
      )}
    >
      {picture && (
        <Picture
          picture={picture}
          alt=""
          sizes={
            isLarge ? '(min-width: 1024px) 48rem, 92vw' : '(min-width: 1024px) 30rem, (min-width: 640px) 45vw, 92vw'
          }
          className={classNames(
            'aspect-video w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.02]',
            isLarge && 'lg:aspect-[4/3]',
          )}
        />
      )}
      <span className="flex flex-1 flex-col p-6 lg:p-9">
        {isComingSoon && <span className="eyebrow mb-3 text-ink-soft">Coming soon</span>}
        <span className="font-display text-title font-[480] tracking-[-0.018em]">{displayName}</span>
        <span className="mt-2 max-w-[30.2em] text-ink-soft">{description}</span>
        <span className={buttonClass('primary', 'mt-7 self-start group-hover:bg-button-hover')}>
          {isComingSoon ? 'Have a look' : 'Shop Now'}
        </span>
      </span>
    </Link>
  )
}

const steps = [
  { title: 'Drawn', text: 'Each animal is drawn for this label and looks like itself from one piece to the next.' },
  { title: 'Made', text: 'Nothing sits in a warehouse. Your order starts the machine, so nothing is thrown away.' },
] as const

const HowItIsMade = () => {
  const terms = useShippingTerms()
  const shipped = { title: 'Shipped', text: `With a tracking number, wherever you are. ${shippingAtHome(terms)}` }
  return (
    <section aria-labelledby="making" className="shell pt-24 lg:pt-32">
      <h2 id="making" className="text-headline">
        From sofa to doorstep
      </h2>
      <ol className="mt-10 grid gap-x-10 gap-y-8 border-t border-ink/25 sm:grid-cols-3">
        {[...steps, shipped].map(({ title, text }) => (
          <li key={title} className="pt-6">
            <h3 className="text-[1.5rem]">{title}</h3>
            <p className="mt-2 max-w-[22em] text-ink-soft">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Section = (props: { site: PageSettings; products: readonly ProductCard[] }) => ReactNode

const sections: Readonly<Record<HomeSection, Section>> = {
  hero: Hero,
  collections: Collections,
  making: HowItIsMade,
}
