import { paths } from '#contract/paths.ts'
import { sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { useCollections } from '#web/app/use-collections.ts'

/** Specification, section 2, Search results. */
const types = ['Hat', 'T-Shirt', 'Mug', 'Blanket']

/** Searches that find something: the first pet, types of products, the channel. */
export const PopularSearches = ({ className = '' }: { className?: string }) => (
  <span className={`flex flex-wrap gap-2 ${className}`}>
    {[
      ...useCollections()
        .slice(0, 1)
        .map(({ petName }) => petName),
      ...types,
      useSite().channel.handle,
    ].map((term) => (
      <Link
        key={term}
        to={paths.search(term)}
        className="inline-flex min-h-11 items-center rounded-full border border-ink/40 px-4 text-base text-ink hover:border-ink hover:bg-ink hover:text-ivory"
      >
        {sayKnown(term)}
      </Link>
    ))}
  </span>
)
