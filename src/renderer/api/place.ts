/**
 * True in the windows of training. The host writes it into the document that it serves there: no answer, setting or name of a
 * profile can turn one place into the other.
 */
export const isTraining: boolean = document.documentElement.dataset['place'] === 'training';
