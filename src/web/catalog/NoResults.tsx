import type { ReactNode } from 'react'
import { AnimalPicture } from './AnimalPicture.tsx'
import { BestSellers } from './BestSellers.tsx'
import { PopularSearches } from './PopularSearches.tsx'

/** With searches that find something, the detective, and goods, so that it is not a dead end. */
export const NoResults = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <section className="no-results">
      <AnimalPicture of="sherlock" className="rounded-none" />
      <div>
        <h2 className="text-title">{title}</h2>
        <p className="mt-1.5 mb-4 text-ink-soft lg:text-lg">{children}</p>
        <PopularSearches />
      </div>
    </section>
    <BestSellers className="mt-8 lg:mt-14" />
  </>
)
