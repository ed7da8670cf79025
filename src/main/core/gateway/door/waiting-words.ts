import type { ProposalView } from '#shared/app-api/index.ts';

/** A page that only tells something. */
export interface Message {
  title: string;
  text: string;
}

export const frozenMessage: Message = {
  title: 'All agents are frozen',
  text: 'Nobody is let in until you let agents work again in Countersign. This page goes on by itself then.',
};

export const crowdedMessage: Message = {
  title: 'Too many programs want to be let in',
  text: 'Decide in Countersign about those that wait. This page goes on by itself then.',
};

/** How an admission that let nobody in has ended; the program hears of it right after. */
export function endMessage({ state, outcome }: Pick<ProposalView, 'state' | 'outcome'>): Message {
  const next = 'Its program is told. You can close this page.';
  switch (state) {
    case 'denied':
      return { title: 'You did not let it in', text: next };
    case 'expired':
      return { title: 'Nobody decided in time', text: `It was not let in. ${next}` };
    default:
      return { title: 'It was not let in', text: `${outcome?.message ?? ''} ${next}`.trim() };
  }
}
