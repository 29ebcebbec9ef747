import type { DraftStep } from '#domain/studio/draft.ts'

/** Thrown for what the owner can correct. */
export class DraftRefusal extends Error {
  readonly step: DraftStep
  constructor(step: DraftStep, sentence: string) {
    super(sentence)
    this.step = step
  }
}
