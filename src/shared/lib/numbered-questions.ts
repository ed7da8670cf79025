/**
 * Numbers the questions about one thing: each gets a function that takes its answer, or its failure, and is false where one to a later
 * question was taken before. An answer that began work may come after the read that its end has caused.
 */
export function numberedQuestions(): () => () => boolean {
  let asked = 0;
  let taken = 0;
  return () => {
    const mine = (asked += 1);
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}
