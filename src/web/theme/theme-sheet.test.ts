import { expect, test } from 'vitest'
import { collections } from '#site/collections/collections.ts'
import { themeSheet } from './theme-sheet.ts'

test.each(Object.values(collections))(
  'the style sheet has a rule for $displayName with every color of its theme',
  (collection) => {
    const rule = new RegExp(`\\[data-collection='${collection.id}'\\] \\{([^}]+)\\}`).exec(themeSheet())?.[1] ?? ''
    for (const color of Object.values(collection.colors)) expect(rule).toContain(`: ${color};`)
    expect(rule).toContain(`--theme-button-primary: ${collection.colors.buttonPrimary};`)
    expect(rule).toContain(`--theme-radius: ${collection.borderRadius};`)
  },
)
