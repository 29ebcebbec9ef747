import type { CSSProperties } from 'react'
import type { CollectionInput } from '#contract/admin-collections.ts'
import { themeProperties } from '#domain/catalog/theme-properties.ts'
import { buttonClass } from '#web/ui/Button.tsx'

/** The page's colors are computed once for the whole document, so a part that differs names them again. */
const partProperties = (collection: CollectionInput): CSSProperties => {
  const { colors } = collection
  return {
    ...themeProperties(collection),
    '--color-strong': colors.primary,
    '--color-second': colors.secondary,
    '--color-accent': colors.accent,
    '--color-ground': colors.background,
    '--color-surface': colors.surface,
    '--color-button': colors.buttonPrimary,
    '--color-button-quiet': colors.buttonSecondary,
    '--color-button-hover': colors.buttonHover,
    '--color-line': colors.cardBorder,
    '--color-ink': colors.textPrimary,
    '--color-ink-soft': colors.textSecondary,
    '--radius-card': collection.borderRadius,
    '--shadow-card': collection.shadowStyle,
  } as CSSProperties
}

/** How the collection's page will look, while it is edited. */
export const CollectionPreview = ({ collection }: { collection: CollectionInput }) => (
  <section aria-label="Preview" className="min-w-0">
    <div className="sticky top-24 grid gap-3">
      <p className="eyebrow text-ink-soft">Preview</p>
      <div
        data-as-in-shop
        style={partProperties(collection)}
        className="overflow-hidden border border-line bg-ground text-ink"
      >
        <div className="on-dark bg-strong pattern p-6 text-ivory">
          <p className="eyebrow text-gold">{collection.displayName || 'The name in full'}</p>
          <p className="mt-3 font-display text-title">{collection.heroTitle || 'The title'}</p>
          <p className="mt-3 text-ivory/85">{collection.heroSubtitle}</p>
        </div>
        <div className="grid gap-4 p-6">
          {collection.hasIntro && <p className="font-display text-[1.25rem]">{collection.welcomeMessage}</p>}
          <div className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 shadow-card">
            <p className="font-semibold">A mug</p>
            <p className="text-ink-soft">{collection.description}</p>
            <span className="h-1 w-9 bg-accent" />
            <span className="flex flex-wrap gap-3">
              <span className={buttonClass('primary')}>Add to Cart</span>
              <span className="inline-flex min-h-12 items-center rounded-card bg-button-quiet px-5 font-semibold">
                Details
              </span>
            </span>
          </div>
        </div>
      </div>
    </div>
  </section>
)
