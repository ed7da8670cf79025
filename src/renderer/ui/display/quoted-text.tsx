import { quoted } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { LongText } from './long-text.tsx';

/** Foreign text as a quotation that it cannot close itself: the marks around it are the only curved ones. Nothing is cut. */
export function QuotedText({ text }: { text: string }): ReactElement {
  return <LongText text={quoted(text)} />;
}
