# The tag of the exception that longjmp is (setjmp.c); C has no word for it.
	.globl	__c_longjmp
	.tagtype __c_longjmp i32
__c_longjmp:
