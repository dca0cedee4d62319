// Both forms of the feature in one file: they share most of what they load.
export { CreateForm } from './create-form'
export { EditParts } from './edit-parts'
