import { Fragment, lazy, Suspense, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { HomeSection, PageSettings } from '#site/settings.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { CollectionCard } from '#contract/collections.ts'
import { paths } from '#contract/paths.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { shippingAtHome } from '#domain/catalog/shipping-terms.ts'
import { spokenLanguage } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { collectionsQuery, showcaseQuery } from '#web/api/queries.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCollection, useCollections } from '#web/app/use-collections.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { BestSellers } from '#web/catalog/BestSellers.tsx'
import { pathOfCard } from '#web/catalog/card-path.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { Picture } from '#web/catalog/Picture.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { useNextDrop } from '#web/drops/use-next-drop.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Price } from '#web/ui/Price.tsx'
import { openingPieces, sofaPieces } from './decorative-pictures.ts'
import { useArrival } from './use-arrival.tsx'

// Part of the page that the server sends; its script is loaded when nothing else is to do.
const DropTeaser = import.meta.env.SSR
  ? (await import('#web/drops/DropTeaser.tsx')).DropTeaser
  : lazy(async () => ({ default: (await import('#web/drops/DropTeaser.tsx')).DropTeaser }))

export function HomePage() {
  const site = useSite()
  const drop = useNextDrop()
  const pieces = openingPieces(useCollections())
  const { data: products = [] } = useQuery({ ...showcaseQuery(pieces), enabled: pieces.length > 0 })
  return (
    <>
      <PageHead
        description={say(
          '{tagline}: hats, shirts and household goods, drawn here and made to order. Shipped worldwide.',
          { tagline: sayKnown(site.tagline) },
        )}
      />
      {!site.homeSections.includes('hero') && <h1 className="sr-only">{site.name}</h1>}
      {site.homeSections.map((section, index) => {
        const Section = sections[section]
        return (
          <Fragment key={section}>
            <Section site={site} products={products} />
            {index === 0 && drop && (
              <Suspense>
                <DropTeaser drop={drop} />
              </Suspense>
            )}
          </Fragment>
        )
      })}
    </>
  )
}

function Hero({ site, products }: { site: PageSettings; products: readonly ProductCard[] }) {
  const { data } = useQuery(collectionsQuery)
  return (
    <>
      <section className="on-dark bg-charcoal text-ivory">
        <div className="opening shell">
          {data && (
            <Picture
              picture={toPicture(data.openingPicture)}
              alt={data.openingPicture.alt}
              sizes="(min-width: 1024px) 54vw, 100vw"
              first
              className="opening-picture"
            />
          )}
          <div className="opening-words">
            <h1 className="max-w-[7em] text-display text-balance md:max-lg:max-w-[6.8em] md:max-lg:self-end md:max-lg:text-[clamp(3rem,6.25vw,3.375rem)]">
              {say('Famous pets, properly made')}
            </h1>
            <p className="mt-4 max-w-[25.5em] text-ivory/85 lg:mt-6 lg:text-lg">
              {say(
                '{name} is {tagline}. We turn the animals the internet cannot stop watching into things that outlast a video.',
                {
                  name: site.name,
                  tagline:
                    spokenLanguage() === 'en'
                      ? `${site.tagline.charAt(0).toLowerCase()}${site.tagline.slice(1)}`
                      : sayKnown(site.tagline),
                },
              )}
            </p>
            <p className="mt-6 flex flex-wrap gap-3 lg:mt-8">
              <a href="#collections" className={buttonClass('primary', 'gold-button')}>
                {say('Explore Collections')}
              </a>
              <Link
                to={paths.about}
                className={buttonClass('outline', 'border-ivory/70! text-ivory! hover:bg-ivory! hover:text-charcoal!')}
              >
                {say('Our Story')}
              </Link>
            </p>
          </div>
          <div className="opening-pieces">
            {products.map((product) => (
              <HeroPiece key={product.id} product={product} />
            ))}
          </div>
        </div>
      </section>
      <Promises site={site} />
      <BestSellers withAll className="shell pt-10" />
    </>
  )
}

const HeroPiece = ({ product: { id, name, picture, variant, price, priceRange } }: { product: ProductCard }) => (
  <Link
    to={pathOfCard({ id, variant })}
    className="group flex max-md:flex-col md:items-center md:gap-4 md:rounded-card md:bg-ivory/7 md:pr-4"
  >
    <span className="block overflow-hidden rounded-card bg-charcoal-soft md:w-20 md:shrink-0 lg:w-32">
      <Picture
        picture={picture ?? undefined}
        alt={pictureAlt(name, picture)}
        sizes="(min-width: 1024px) 8rem, (min-width: 768px) 6rem, 30vw"
        className="aspect-square w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.03]"
      />
    </span>
    {/* On phones prices stand on one line, also where a name takes two. */}
    <span className="grid text-[0.9375rem] leading-snug max-md:mt-2 max-md:flex-1 max-md:grid-rows-[1fr_auto] [&_.kind]:hidden [&_.title]:font-display [&_.title]:text-[0.875rem] md:[&_.title]:text-[1.0625rem]">
      <span className="group-hover:underline">
        <ProductName name={name} />
      </span>
      <Price amount={price} from={priceRange.to > priceRange.from} className="font-semibold text-ivory/90" />
    </span>
    <Icon name="right" className="ml-auto size-5 shrink-0 text-ivory/70 max-lg:hidden" />
  </Link>
)

function Promises({ site }: { site: PageSettings }) {
  const terms = useShippingTerms()
  const promises: readonly [IconName, ReactNode, string][] = [
    ['calendar', ...useArrival()],
    [
      'truck',
      terms?.isFree ? say('Free shipping worldwide*') : say('Shipped worldwide'),
      say('With a tracking number'),
    ],
    ['needle', say('Made for you, one by one'), say('Faulty? Tell us within {days} days', { days: site.returnDays })],
  ]
  return (
    <section aria-label={say('Promises')} className="border-b border-line bg-surface">
      <ul className="shell grid gap-x-6 gap-y-3 py-4 sm:grid-cols-3 lg:py-5">
        {promises.map(([icon, title, text]) => (
          <li key={icon} className="flex min-h-11 items-center gap-3.5 md:max-lg:gap-2.5">
            <Icon name={icon} className="size-6 text-accent" />
            <span className="text-[0.9375rem] leading-snug">
              <span className="block font-semibold">{title}</span>
              <span className="block text-sm text-ink-soft">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Collections({
  site: { upcoming, channel },
  products,
}: {
  site: PageSettings
  products: readonly ProductCard[]
}) {
  const { data } = useQuery(collectionsQuery)
  const [first, ...others] = data?.collections.filter((collection) => collection.onHome) ?? []
  const pieceOf = ({ id }: CollectionCard) => products.find((product) => product.collection === id)
  return (
    <section id="collections" aria-labelledby="collections-title" className="shell scroll-mt-20 pt-14 lg:pt-24">
      <h2 id="collections-title" className="text-headline">
        {say('One collection per animal')}
      </h2>
      <div className="mt-7 grid grid-cols-2 gap-4 lg:mt-10 lg:gap-6">
        {first && <Meet collection={first} piece={pieceOf(first)} channel={channel} />}
        {others.map((collection) => (
          <Panel key={collection.id} collection={collection} piece={pieceOf(collection)} />
        ))}
        {upcoming.map(({ title, text }) => (
          <article
            key={title}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-5 py-4 max-sm:col-span-2 lg:px-7 lg:py-5"
          >
            <div>
              <p className="eyebrow text-ink-soft">{say('Coming soon')}</p>
              <h3 className="mt-1 text-[1.375rem] leading-tight">{sayKnown(title)}</h3>
            </div>
            <Button variant="outline" disabled className="min-h-11! lg:row-span-2">
              {say('Stay Tuned')}
            </Button>
            <p className="text-[0.9375rem] leading-snug text-ink-soft max-lg:col-span-2">{sayKnown(text)}</p>
          </article>
        ))}
      </div>
    </section>
  )
}

/** @param piece shown where the collection has no picture of its own */
type TileProps = { collection: CollectionCard; piece: ProductCard | undefined }

const pictureOf = ({ collection: { hero }, piece }: TileProps) =>
  hero ? toPicture(hero) : (piece?.picture ?? undefined)

/** The first collection, as wide as the page, and where its animal can be seen. */
function Meet({ channel, ...tile }: TileProps & { channel: PageSettings['channel'] }) {
  const { displayName, petName, description, isComingSoon } = tile.collection
  const picture = pictureOf(tile)
  return (
    <article className="on-dark grid col-span-2 overflow-hidden rounded-card bg-charcoal text-ivory lg:grid-cols-[1.5fr_1fr]">
      {picture && (
        <Picture
          picture={picture}
          alt={tile.collection.hero?.alt ?? ''}
          sizes="(min-width: 1024px) 48rem, 92vw"
          className="aspect-[4/3] h-full w-full object-cover sm:aspect-video lg:aspect-[1.62]"
        />
      )}
      <div className="grid content-center gap-x-10 p-6 md:max-lg:grid-cols-[1fr_auto] md:max-lg:p-7 lg:p-10">
        <p className="eyebrow text-gold">{say('Meet {pet}', { pet: petName })}</p>
        <h3 className="mt-3 text-title md:max-lg:col-start-1 lg:text-[2.5rem]">{sayKnown(displayName)}</h3>
        <p className="mt-3 max-w-[27em] text-ivory/85 md:max-lg:col-start-1">{description}</p>
        <p className="mt-6 flex md:max-lg:col-start-2 md:max-lg:row-span-3 md:max-lg:row-start-1 md:max-lg:mt-0 md:max-lg:flex-col md:max-lg:items-stretch md:max-lg:self-center flex-wrap items-center gap-x-6 gap-y-2">
          <Link to={pathOfCollection(tile.collection)} className={buttonClass('primary', 'gold-button')}>
            <span className="sr-only">{sayKnown(displayName)}: </span>
            {isComingSoon ? say('Have a look') : say('Shop Now')}
          </Link>
          <a
            href={channel.url}
            rel="noopener"
            className="inline-flex min-h-11 items-center justify-center gap-1.5 font-semibold link-line"
          >
            {channel.name}
            <Icon name="out" className="size-4" />
          </a>
        </p>
      </div>
    </article>
  )
}

function Panel(tile: TileProps) {
  const { displayName, petName, description, isComingSoon } = tile.collection
  const picture = pictureOf(tile)
  return (
    <Link
      to={pathOfCollection(tile.collection)}
      className="group relative flex flex-col overflow-hidden rounded-card border border-line bg-surface max-sm:only-of-type:col-span-2"
    >
      {picture && (
        <span className="block overflow-hidden">
          <Picture
            picture={picture}
            alt=""
            sizes="45vw"
            className="aspect-3/2 w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.02] sm:aspect-video"
          />
        </span>
      )}
      <span className="flex flex-1 flex-col p-4 sm:p-5 lg:p-7">
        {isComingSoon && <span className="eyebrow mb-2 text-ink-soft">{say('Coming soon')}</span>}
        <span className="font-display text-[1.25rem] leading-tight font-[480] tracking-[-0.018em] max-sm:flex-1 sm:text-title">
          {sayKnown(displayName)}
        </span>
        <span className="mt-1.5 max-w-[32em] text-ink-soft max-sm:hidden">{description}</span>
        <span className="mt-3 inline-flex items-center gap-1.5 font-semibold whitespace-nowrap max-sm:text-[0.9375rem] sm:mt-4">
          {isComingSoon ? say('Have a look') : say('Shop {pet}', { pet: petName })}
          <Icon name="right" className="size-5" />
        </span>
      </span>
    </Link>
  )
}

const steps = () => [
  {
    title: say('Drawn'),
    text: say('Each animal is drawn for this label and looks like itself from one piece to the next.'),
  },
  {
    title: say('Made'),
    text: say('Nothing sits in a warehouse. Your order starts the machine, so nothing is thrown away.'),
  },
]

function HowItIsMade() {
  const terms = useShippingTerms()
  const pieces = sofaPieces(useCollections())
  const { data: [piece] = [] } = useQuery({ ...showcaseQuery(pieces, 'lifestyle'), enabled: pieces.length > 0 })
  const shipped = {
    title: say('Shipped'),
    text: `${say('With a tracking number, wherever you are.')} ${shippingAtHome(terms)}`,
  }
  return (
    <section aria-labelledby="making" className="making shell pt-16 lg:pt-28">
      <h2 id="making" className="text-headline">
        {say('From sofa to doorstep')}
      </h2>
      {piece?.picture && (
        <Link to={pathOfCard(piece)} className="group relative block overflow-hidden rounded-card plate">
          <Picture
            picture={piece.picture}
            alt={pictureAlt(piece.name, piece.picture)}
            sizes="(min-width: 1312px) 36rem, (min-width: 768px) 46vw, 92vw"
            className="aspect-[5/4] size-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.02] md:absolute md:inset-0 md:aspect-auto"
          />
        </Link>
      )}
      <ol className="grid content-start border-t border-ink/25">
        {[...steps(), shipped].map(({ title, text }) => (
          <li key={title} className="border-b border-line py-5 last:border-0">
            <h3 className="text-[1.5rem]">{title}</h3>
            <p className="mt-1.5 max-w-[29em] text-ink-soft">{text}</p>
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
