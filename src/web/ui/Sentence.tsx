import { Fragment, type ReactNode } from 'react'
import { sayParts } from '#words/say.ts'
import type { Word } from '#words/words.ts'

/** A text of the shop with elements in it, such as links. @param word `Read our {terms}.` @param parts what its placeholders are */
export const Sentence = ({ word, parts }: { word: Word; parts: Readonly<Record<string, ReactNode>> }): ReactNode =>
  sayParts(word, parts).map((part, index) => <Fragment key={index}>{part as ReactNode}</Fragment>)
