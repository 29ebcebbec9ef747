import type { Product, ProductCard } from '#contract/catalog.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { useCollections } from '#web/app/use-collections.ts'
import { Price } from '#web/ui/Price.tsx'
import { pathOfCard } from './card-path.ts'
import { Picture } from './Picture.tsx'
import { ProductName } from './ProductName.tsx'

export function RelatedProducts({ product, related }: { product: Product; related: readonly ProductCard[] }) {
  const theme = findCollection(useCollections(), product.collection)
  if (related.length === 0) return null
  return (
    <section aria-labelledby="related" className="mt-20 border-t border-line pt-14 lg:mt-28 lg:pt-20">
      <h2 id="related" className="text-headline">
        {theme ? say('More {pet}', { pet: theme.petName }) : say('More like this')}
      </h2>
      <ul className="mt-6 grid grid-cols-2 gap-x-3 gap-y-6 md:mt-9 md:grid-cols-4 md:gap-x-4 lg:gap-x-8">
        {related.map(({ id, name, picture, variant, price, priceRange }) => (
          <li key={id} className="group relative">
            <div className="overflow-hidden rounded-card plate">
              <Picture
                picture={picture ?? undefined}
                alt={pictureAlt(name, picture)}
                sizes="(min-width: 1312px) 290px, (min-width: 768px) 22vw, 45vw"
                className="aspect-square w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.025]"
              />
            </div>
            <h3 className="mt-3 max-lg:[&_.title]:text-[1.0625rem]">
              <Link
                to={pathOfCard({ id, variant })}
                className="block decoration-accent decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0"
              >
                <ProductName name={name} />
              </Link>
            </h3>
            <Price
              amount={price}
              from={priceRange.to > priceRange.from}
              className="block font-semibold max-md:text-[0.9375rem] md:mt-1"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
