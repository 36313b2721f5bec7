awend_kernel(fill op_fill.comp)
