/** What holds whenever the core is away, in one line. */
export const whatIsSafe =
  'Nothing is sent without your confirmation; a change that was on its way is checked by reading it back.';
