# Every kernel: awend_kernel(NAME SOURCE [DEFINE...]).
awend_kernel(matmul_nn op_matmul.comp FORM_NN)
awend_kernel(matmul_nt op_matmul.comp FORM_NT)
awend_kernel(matmul_tn op_matmul.comp FORM_TN)
