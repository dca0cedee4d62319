// Both forms of the feature in one file: they share most of their dependencies.
export { CreateForm } from './create-form'
export { EditParts } from './edit-parts'
